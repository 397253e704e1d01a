import { faultsOf } from './problems';

test('a fault says where and what', () => {
  const issues = [{ path: ['allowed_models', 0], message: 'must be a string' }];
  expect(faultsOf('body', issues)).toEqual([
    { at: 'body.allowed_models.0', detail: 'must be a string' },
  ]);
});

test('faults are bounded in number and length', () => {
  const issue = { path: ['k'.repeat(50_000)], message: 'm'.repeat(50_000) };
  const faults = faultsOf('body', Array(1_000).fill(issue));
  expect(JSON.stringify(faults).length).toBeLessThan(10_000);
});
