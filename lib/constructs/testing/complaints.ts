import type { App } from 'aws-cdk-lib';

import { checkedApp } from '../../synth';

/** What a synth that is checked as ours are says when it fails; nothing when it does not. */
export function complaintsOf(build: (app: App) => void): string {
  const app = checkedApp();
  build(app);
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    app.synth();
    return '';
  } catch (error) {
    return [said.mock.calls.join('\n'), String(error)].join('\n');
  } finally {
    said.mockRestore();
  }
}
