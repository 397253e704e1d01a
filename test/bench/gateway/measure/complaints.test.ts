import { complaintsIn } from './complaints';

test('warnings before serving are about the configuration, those after about the run', () => {
  const output = [
    '{"level":"warn","msg":"configuration"}',
    '{"level":"info","msg":"serving"}',
    '{"level":"info","msg":"answered"}',
    '{"level":"warn","msg":"limits are local"}',
    '{"level":"error","msg":"settlement failed"}',
  ].join('\n');
  expect(complaintsIn(output)).toEqual([
    '{"level":"warn","msg":"limits are local"}',
    '{"level":"error","msg":"settlement failed"}',
  ]);
});
