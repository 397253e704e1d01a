import { setDatabaseStage, type DatabaseStage } from './database-stage';
import { describeTokenStore } from './token-store-contract';

jest.setTimeout(60_000);

let stage: DatabaseStage;
beforeAll(async () => {
  stage = await setDatabaseStage();
});
afterAll(() => stage.close());

describeTokenStore('PostgreSQL', () => stage.tokens);
