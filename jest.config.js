/**
 * One project per tier, named by what is real in it (CONTRIBUTING.md, "Tests").
 * `cumulet-source` resolves workspace imports to their TypeScript sources, so no build is needed.
 */
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['cumulet-source', 'node', 'node-addons'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['/dist/', '/.cumulet/'],
};

const workspaces = '<rootDir>/{apps,packages}/*/src/**';

/** Postgres for the tiers that need one is started once per run, on first use. */
const postgres = {
  globalSetup: '<rootDir>/packages/testing/src/jest/global-setup.js',
  globalTeardown: '<rootDir>/packages/testing/src/jest/global-teardown.js',
};

export default {
  // Ends what hangs: a machine under load takes several times as long as a quiet one.
  testTimeout: 120_000,
  // Modules of a test file are never given back: a worker that has run many is slow, and replaced.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [`${workspaces}/*.spec.ts`, '<rootDir>/scripts/lib/*.spec.mjs'],
      testPathIgnorePatterns: ['\\.(db|api|dp)\\.spec\\.ts$', '/node_modules/'],
    },
    { ...shared, ...postgres, displayName: 'db', testMatch: [`${workspaces}/*.db.spec.ts`] },
    { ...shared, ...postgres, displayName: 'api', testMatch: [`${workspaces}/*.api.spec.ts`] },
    { ...shared, ...postgres, displayName: 'dataplane', testMatch: [`${workspaces}/*.dp.spec.ts`] },
    {
      ...shared,
      displayName: 'conformance',
      testMatch: ['<rootDir>/conformance/**/*.spec.ts'],
      testPathIgnorePatterns: ['/conformance/chaos/', '/node_modules/'],
    },
    // Minutes of faults, and another run each time: `npm run chaos`, not a part of `npm test`.
    { ...shared, displayName: 'chaos', testMatch: ['<rootDir>/conformance/chaos/*.spec.ts'] },
  ],
};
