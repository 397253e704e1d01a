import { fakeTokenStore } from './fake-token-store';
import { describeTokenStore } from './token-store-contract';

const store = fakeTokenStore();
describeTokenStore('fakeTokenStore', () => store);
