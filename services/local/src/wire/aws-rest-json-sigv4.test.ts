import { AwsError } from './aws-error';
import { readCredentialScope } from './aws-rest-json-sigv4';

const signature = 'ab'.repeat(32);
const wellFormed = {
  'x-amz-date': '20261118T000000Z',
  authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/ap-northeast-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
};

function codeOf(headers: Record<string, string>): string {
  try {
    readCredentialScope(headers, 'bedrock');
    return 'accepted';
  } catch (error) {
    return error instanceof AwsError ? error.code : String(error);
  }
}

test('the region and service are those of the credential scope', () => {
  expect(readCredentialScope(wellFormed, 'bedrock')).toEqual({
    accessKeyId: 'AKIDEXAMPLE',
    date: '20261118',
    region: 'ap-northeast-1',
    service: 'bedrock',
  });
});

test.each([
  ['no header', {}, 'MissingAuthenticationTokenException'],
  ['another algorithm', { authorization: 'Bearer abc' }, 'IncompleteSignatureException'],
  [
    'a scope cut short',
    { authorization: wellFormed.authorization.replace('/aws4_request', '') },
    'IncompleteSignatureException',
  ],
  [
    'a short signature',
    { authorization: wellFormed.authorization.replace(signature, 'abcd') },
    'IncompleteSignatureException',
  ],
  [
    'an unsigned host',
    { authorization: wellFormed.authorization.replace('host;', '') },
    'IncompleteSignatureException',
  ],
  ['no date', { 'x-amz-date': '' }, 'IncompleteSignatureException'],
  ['a date of another day', { 'x-amz-date': '20261119T000000Z' }, 'IncompleteSignatureException'],
  [
    'another service',
    { authorization: wellFormed.authorization.replace('/bedrock/', '/ecs/') },
    'InvalidSignatureException',
  ],
])('%s is refused', (name, change, code) => {
  const headers: Record<string, string> = name === 'no header' ? {} : { ...wellFormed, ...change };
  expect(codeOf(headers)).toBe(code);
});
