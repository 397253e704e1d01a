/** Closes a run with its five slowest suites, so that a suite that grows is seen the day it does. */
const path = require('node:path');

const SHOWN = 5;

module.exports = class SlowestSuitesReporter {
  onRunComplete(_contexts, results) {
    const slowest = results.testResults
      .map(({ testFilePath, perfStats }) => ({ testFilePath, ms: perfStats.end - perfStats.start }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN);
    console.log(`\nSlowest suites:`);
    for (const { testFilePath, ms } of slowest) {
      console.log(
        `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path.relative(process.cwd(), testFilePath)}`,
      );
    }
    const { numPassedTests, numFailedTests, numPendingTests } = results;
    console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  }
};
