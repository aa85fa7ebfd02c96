import boundaries from 'eslint-plugin-boundaries'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'
import { borders, elements } from './scripts/lint/borders.mjs'

const typescript = ['**/*.{ts,tsx}']
const tests = [
  '**/*.test.{ts,tsx}',
  '*/test/**/*.{ts,tsx}',
  'e2e/**/*.ts',
  'scripts/launch/**/*.ts',
  'bench/**/*.ts',
  'demo/**/*.ts',
  'prove/**/*.ts',
]

const environment = {
  object: 'process',
  property: 'env',
  message: 'Settings are read once, by server/src/config/config.ts, and handed on from there.',
}

/** Drivers and vendors' kits: each has one place that knows it. */
const drivers = {
  regex: '^(better-sqlite3|mysql2|ioredis|nodemailer|stripe|@aws-sdk/.*|@azure/.*|@google-cloud/.*)(/.*)?$',
  message: 'Drivers and vendor kits are known to server/src/db and server/src/adapters only.',
}

const globals = {
  fetch: {
    name: 'fetch',
    message: 'Requests go through console/src/lib/client.ts, which knows the session and the errors.',
  },
  storage: ['localStorage', 'sessionStorage'].map((name) => ({
    name,
    message: 'Stored values have named keys in console/src/lib/storage.ts.',
  })),
}
const windowed = [globals.fetch, ...globals.storage].flatMap(({ name, message }) =>
  ['window', 'globalThis'].map((object) => ({ object, property: name, message })),
)

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.cache/', 'data/', 'coverage/', 'test-results/', 'playwright-report/'] },

  {
    files: typescript,
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      complexity: ['error', 12],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': ['error', environment],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // Fastify's handlers and our ports are asynchronous by contract, also where one answer happens to be at hand.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-redundant-type-constituents': 'off',
    },
  },

  {
    files: typescript,
    plugins: { boundaries },
    settings: {
      'boundaries/elements': elements,
      'boundaries/include': ['{contract,server,console}/{src,test}/**/*', 'e2e/**/*', 'scripts/launch/**/*'],
      'import/resolver': { [fileURLToPath(new URL('scripts/lint/resolver.cjs', import.meta.url))]: {} },
    },
    rules: {
      'boundaries/element-types': ['error', borders],
      'boundaries/no-unknown': 'error',
      'boundaries/no-unknown-files': 'error',
    },
  },

  {
    files: ['contract/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!\\.|zod$)', message: 'The contract runs anywhere: it imports zod and itself.' }] },
      ],
    },
  },
  {
    files: ['contract/src/resources/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^zod$|/shapes/',
              allowTypeImports: true,
              message: 'What exists and where is said without zod, so that lists and the sign-in page stay small.',
            },
            { regex: '^(?!\\.|zod$)', message: 'The contract runs anywhere: it imports zod and itself.' },
          ],
        },
      ],
    },
  },

  {
    files: ['server/src/**/*.ts'],
    ignores: ['server/src/db/**', 'server/src/adapters/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [drivers] }] },
  },
  {
    files: ['server/src/**/*.ts'],
    ignores: ['server/src/db/transaction.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="transaction"][arguments.length=0]',
          message: 'Use withTransaction from server/src/db/transaction.ts: it retries deadlocks.',
        },
      ],
    },
  },
  { files: ['server/src/config/config.ts'], rules: { 'no-restricted-properties': 'off' } },
  // The server says its first words on the console, everything later is a log line; the bench has nothing but words.
  { files: ['server/src/main.ts', 'bench/**/*.ts', 'demo/**/*.ts', 'prove/**/*.ts'], rules: { 'no-console': 'off' } },

  {
    files: ['console/src/**/*.{ts,tsx}'],
    extends: [jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // A record copied into state by an effect is two truths.
      'react-hooks/set-state-in-effect': 'error',
      'react-hooks/static-components': 'error',
      // A dialog and the sign-in page put the cursor where the work begins.
      'jsx-a11y/no-autofocus': 'off',
      'no-restricted-globals': ['error', globals.fetch, ...globals.storage],
      'no-restricted-properties': ['error', environment, ...windowed],
    },
  },
  {
    // A recording on another server must get neither the session nor its error handling.
    files: ['console/src/lib/client.ts', 'console/src/features/recent-calls/player/external-recording.ts'],
    rules: { 'no-restricted-globals': ['error', ...globals.storage] },
  },
  {
    files: ['console/src/lib/storage.ts'],
    rules: {
      'no-restricted-globals': ['error', globals.fetch],
      'no-restricted-properties': ['error', environment],
    },
  },
  // A vendor is data, however much of it there is.
  { files: ['contract/src/speech/vendors/**'], rules: { 'max-lines': 'off' } },

  {
    files: tests,
    rules: {
      // A test looks at what came over the wire as it came, and reaches for whatever it needs.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-restricted-imports': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
    },
  },
  { files: ['**/*.test.{ts,tsx}'], rules: { 'boundaries/element-types': 'off' } },
  // Settings of tools: they read the environment, and their own types are loose.
  {
    files: ['*.config.ts', 'console/vite.config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
)
