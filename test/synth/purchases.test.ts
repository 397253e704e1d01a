/** What the autoscaler buys is what the stacks give back: both must mean the same names. */
import { purchasePrefix } from '@matsuri/contract';

import { environmentNamed } from '../../lib/config/environment';
import { nameOf, prefixOf } from '../../services/autoscaler/src/reading/core/throughput-name';
import { ENVIRONMENT_NAMES, NOW_MS } from './synthesized';

test.each(ENVIRONMENT_NAMES)('a purchase of %s begins as its stack expects', (name) => {
  const { product, environment } = environmentNamed(name, NOW_MS).platform;
  const bought = nameOf(prefixOf(product.name, environment), 'complex-1-window-2');
  expect(bought.startsWith(purchasePrefix(product.name, environment))).toBe(true);
});
