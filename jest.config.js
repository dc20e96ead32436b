/** One project per tier, named by what is real in it (CONTRIBUTING.md, "Tests"). */
const shared = {
  // Test files run as modules of Node.js, which loads their TypeScript: native-runner.js.
  testRunner: '<rootDir>/packages/testing/src/jest/native-runner.js',
  testEnvironment: '<rootDir>/packages/testing/src/jest/native-environment.js',
  transform: {},
  roots: ['apps', 'packages', 'scripts', 'conformance'].map((folder) => `<rootDir>/${folder}`),
  modulePathIgnorePatterns: ['/dist/', '/.cumulet/', '/.venv/'],
};

const workspaces = '<rootDir>/{apps,packages}/*/src/**';

/** Postgres for the tiers that need one is started once per run, on first use. */
const postgres = {
  globalSetup: '<rootDir>/packages/testing/src/jest/global-setup.js',
  globalTeardown: '<rootDir>/packages/testing/src/jest/global-teardown.js',
};

/** Data folders that clouds of a run begin with. */
const startedFolders = {
  globalSetup: '<rootDir>/conformance/support/jest/global-setup.js',
  globalTeardown: '<rootDir>/conformance/support/jest/global-teardown.js',
};

export default {
  // Ends what hangs: a machine under load takes several times as long as a quiet one.
  testTimeout: 120_000,
  // What a test file's variables hold stays: a worker that has run many files is replaced.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        `${workspaces}/*.spec.ts`,
        '<rootDir>/scripts/lib/*.spec.mjs',
        '<rootDir>/apps/*/node-image/build/*.spec.mjs',
      ],
      testPathIgnorePatterns: ['\\.(db|api|dp)\\.spec\\.ts$', '/node_modules/'],
    },
    { ...shared, ...postgres, displayName: 'db', testMatch: [`${workspaces}/*.db.spec.ts`] },
    { ...shared, ...postgres, displayName: 'api', testMatch: [`${workspaces}/*.api.spec.ts`] },
    { ...shared, ...postgres, displayName: 'dataplane', testMatch: [`${workspaces}/*.dp.spec.ts`] },
    {
      ...shared,
      ...startedFolders,
      displayName: 'conformance',
      testMatch: ['<rootDir>/conformance/**/*.spec.ts'],
      testPathIgnorePatterns: [
        '/conformance/(acceptance|chaos|cloud-init|compose|kubernetes|scaled|upgrade)/',
        '/node_modules/',
      ],
    },
    // Real guests for minutes: `npm run conformance -- acceptance`, not a part of `npm test`.
    {
      ...shared,
      ...startedFolders,
      displayName: 'acceptance',
      testMatch: ['<rootDir>/conformance/acceptance/*.spec.ts'],
    },
    // Containers of Docker: `npm run conformance -- compose`, not a part of `npm test`.
    {
      ...shared,
      displayName: 'compose',
      testMatch: [
        '<rootDir>/conformance/compose/*.spec.ts',
        '<rootDir>/conformance/acceptance/{networked-servers,stack-of-servers}.spec.ts',
      ],
    },
    // A whole Debian, for many minutes: `npm run conformance -- cloud-init`, not a part of `npm test`.
    {
      ...shared,
      ...startedFolders,
      displayName: 'cloud-init',
      testMatch: ['<rootDir>/conformance/cloud-init/*.spec.ts'],
    },
    // A whole Kubernetes, for many minutes: `npm run conformance -- kubernetes`, not a part of `npm test`.
    {
      ...shared,
      ...startedFolders,
      displayName: 'kubernetes',
      testMatch: ['<rootDir>/conformance/kubernetes/*.spec.ts'],
    },
    // Many processes, and builds another release first: `npm run conformance -- scaled`, not a part of `npm test`.
    { ...shared, displayName: 'scaled', testMatch: ['<rootDir>/conformance/scaled/*.spec.ts'] },
    // Builds another release first: `npm run conformance -- upgrade`, not a part of `npm test`.
    {
      ...shared,
      ...startedFolders,
      displayName: 'upgrade',
      testMatch: ['<rootDir>/conformance/upgrade/*.spec.ts'],
    },
    // Minutes of faults, and another run each time: `npm run chaos`, not a part of `npm test`.
    { ...shared, displayName: 'chaos', testMatch: ['<rootDir>/conformance/chaos/*.spec.ts'] },
  ],
};
