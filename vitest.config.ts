import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const consoleSetup = './console/test/setup.ts'

const isolatedScreenTests = 'console/test/isolated/*.test.tsx'

const screens = {
  environment: 'jsdom',
  include: ['console/{src,test}/**/*.test.{ts,tsx}'],
  setupFiles: existsSync(consoleSetup) ? [consoleSetup] : [],
  // Ten times the duration of the longest test, so that a busy machine does not fail tests.
  testTimeout: 90_000,
  hookTimeout: 60_000,
}

/** Test files are beside the code that they test. The workspaces differ only in their environment. */
export default defineConfig({
  test: {
    // By default, Vitest leaves one core idle. One worker more than cores, because tests wait for processes and timers.
    maxWorkers: availableParallelism() + 1,
    // A rare bug in Node 20's fetch: a timer fires for a closed connection. It involves no code of the project.
    onUnhandledError: ({ message, stack }) =>
      !(message.includes("reading 'deref'") && String(stack).includes('onParserTimeout')),
    projects: [
      { test: { name: 'contract', environment: 'node', include: ['contract/{src,test}/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          environment: 'node',
          // Each test creates its own app and database, so files can share imported modules, which halves the duration.
          isolate: false,
          include: ['server/{src,test}/**/*.test.ts'],
          setupFiles: ['./server/test/setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // Files share modules here too: screen tests clean up after themselves (see useBackend).
      { test: { ...screens, name: 'console', isolate: false, exclude: [isolatedScreenTests] } },
      // Tests that mock modules, which has no effect on modules that another file has imported.
      { test: { ...screens, name: 'console, isolated', include: [isolatedScreenTests] } },
      { test: { name: 'scripts', environment: 'node', include: ['{scripts,bench,prove}/**/*.test.ts'] } },
    ],
  },
})
