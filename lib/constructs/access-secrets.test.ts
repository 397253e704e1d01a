import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { AccessSecrets } from './access-secrets';
import { plantedKey, plantedStack, templateOf } from './testing/planted';

function secrets(keepsData: boolean): Template {
  const stack = plantedStack();
  new AccessSecrets(stack, 'Access', { encryptionKey: plantedKey(stack), keepsData });
  return templateOf(stack);
}

test('two secrets are made up by AWS, of 64 letters and digits: more than 256 bits, and safe in a shell', () => {
  const template = secrets(true);
  template.resourceCountIs('AWS::SecretsManager::Secret', 2);
  template.allResourcesProperties('AWS::SecretsManager::Secret', {
    GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    KmsKeyId: Match.anyValue(),
  });
});

test('where data is kept, so are the peppers: without them every token of every caller is void', () => {
  secrets(true).allResources('AWS::SecretsManager::Secret', { DeletionPolicy: 'Retain' });
  secrets(false).allResources('AWS::SecretsManager::Secret', { DeletionPolicy: 'Delete' });
});

test('no clock replaces them', () => {
  secrets(true).resourceCountIs('AWS::SecretsManager::RotationSchedule', 0);
});
