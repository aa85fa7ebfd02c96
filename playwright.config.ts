import { defineConfig } from '@playwright/test'
import { browserArguments } from './scripts/launch/browser'

/** Each worker starts its own server (e2e/support/test.ts), so tests of different workers share no data. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Flaky tests are listed at the end of the run, as with Vitest (scripts/tools/checks.mjs).
  retries: process.env.CI ? 2 : 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH || undefined, args: browserArguments },
  },
  projects: [
    { name: 'journeys', testMatch: '**/*.spec.ts' },
    { name: 'screenshots', testMatch: '**/*.shot.ts' },
  ],
})
