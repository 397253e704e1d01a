/** A stack that forgets what its program reads must not compile: shown with the compiler itself. */
import { plantedCopy } from './planted-copy';
import type { PlantedCopy } from './planted-copy';

/** Compiles the planted stacks and what they import, with the strictness of the repository. */
const PLANTED_PROJECT = JSON.stringify({
  extends: './tsconfig.base.json',
  compilerOptions: { rootDir: '.', outDir: '.planted' },
  include: ['lib/stacks/planted-*.ts', 'lib/constructs/program-container.ts'],
  references: [{ path: 'services/contract' }],
});

/** A stack that runs the migration, with these variables. */
function stackGiving(variables: string): string {
  return `
    import { Stack } from 'aws-cdk-lib';
    import * as ecs from 'aws-cdk-lib/aws-ecs';
    import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
    import { addProgram } from '../constructs/program-container';

    const stack = new Stack();
    const secret = ecs.Secret.fromSecretsManager(new secretsmanager.Secret(stack, 'Database'));
    addProgram(new ecs.FargateTaskDefinition(stack, 'Task'), 'migrate', {
      image: ecs.ContainerImage.fromRegistry('node:24-slim'),
      variables: { ${variables} },
      secrets: { DATABASE_USER: secret, DATABASE_PASSWORD: secret },
    });
  `;
}

let copy: PlantedCopy;
let compiled: { status: number | null; output: string };

beforeAll(() => {
  copy = plantedCopy({
    'tsconfig.planted.json': PLANTED_PROJECT,
    'lib/stacks/planted-complete.ts': stackGiving(`DATABASE_URL: 'postgres://writer'`),
    'lib/stacks/planted-forgotten.ts': stackGiving(''),
    'lib/stacks/planted-misspelt.ts': stackGiving(`DATABSE_URL: 'postgres://writer'`),
    'lib/stacks/planted-in-the-clear.ts': stackGiving(
      `DATABASE_URL: 'postgres://writer', DATABASE_PASSWORD: 'hunter2'`,
    ),
  });
  compiled = copy.run('tsc', '-b', 'tsconfig.planted.json');
}, 180_000);

afterAll(() => copy.remove());

const errorsIn = (file: string): string[] =>
  compiled.output.split('\n').filter((line) => line.startsWith(`lib/stacks/${file}`));

test('a stack that forgets a variable does not compile', () => {
  expect(errorsIn('planted-forgotten.ts')).toEqual([
    expect.stringContaining(`Property 'DATABASE_URL' is missing`),
  ]);
});

test('a stack that misspells a variable does not compile, and is told the right name', () => {
  expect(errorsIn('planted-misspelt.ts')).toEqual([
    expect.stringMatching(/'DATABSE_URL' does not exist .* Did you mean to write 'DATABASE_URL'\?/),
  ]);
});

test('a secret given in the clear does not compile', () => {
  expect(errorsIn('planted-in-the-clear.ts')).toEqual([
    expect.stringContaining(`'DATABASE_PASSWORD' does not exist`),
  ]);
});

test('a stack that gives everything compiles', () => {
  expect(errorsIn('planted-complete.ts')).toEqual([]);
});
