import boundaries from 'eslint-plugin-boundaries'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'
import { elements, importRules } from './scripts/lint/import-rules.mjs'

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

/** Words that say nothing about the value. docs/glossary.md has the words to use. */
const vagueNames = [
  ...[
    'most',
    'told',
    'said',
    'says',
    'tell',
    'asked',
    'asking',
    'ask',
    'asks',
    'found',
    'kept',
    'whole',
    'given',
    'taken',
  ],
  ...['seen', 'shown', 'chosen', 'begun', 'gone', 'come', 'comes', 'goes', 'wanted', 'wish', 'world', 'look', 'looks'],
  ...[
    'own',
    'owns',
    'mine',
    'strangers',
    'each',
    'others',
    'ones',
    'whose',
    'who',
    'which',
    'ways',
    'anew',
    'patience',
  ],
  ...['atOnce', 'inOneGo', 'thing', 'things', 'stuff'],
]

/** A boolean is named as a statement (`isOpen`, `acceptsKeys`), after the attribute of HTML or React that it sets, or after a column. */
const booleanName =
  '^(is|are|was|has|had|can|could|may|should|must|needs|will|[a-z]+s)[A-Z]' +
  '|^(open|opened|required|disabled|readOnly|viewOnly|pending|loading|refreshing)$' +
  '|_'
const nameWithoutUnit = '([tT]imeout|[iI]nterval|[dD]elay|[dD]uration|[pP]eriod|[lL]atency)$'

/** Names that come from other code, as properties and columns do, stay as they are. */
const namingConvention = [
  { selector: 'typeLike', format: ['PascalCase'] },
  { selector: 'function', format: ['camelCase', 'PascalCase'] },
  { selector: 'variable', types: ['boolean'], format: null, custom: { regex: booleanName, match: true } },
  { selector: 'variable', types: ['number'], format: null, custom: { regex: nameWithoutUnit, match: false } },
  { selector: 'variable', types: ['boolean', 'number'], modifiers: ['destructured'], format: null },
]

const environmentAccess = {
  object: 'process',
  property: 'env',
  message: 'Only server/src/config/config.ts reads the environment. Pass settings as parameters.',
}

/** Only the entry point prints. */
const serverOutput = ['stdout', 'stderr'].map((property) => ({
  object: 'process',
  property,
  message:
    'Only server/src/main.ts, doctor.ts and move-calls.ts print. Log through the request or a logger that is passed as a parameter.',
}))

/** Database drivers and vendor SDKs: only their adapters import them. */
const drivers = {
  regex: '^(better-sqlite3(-13)?|mysql2|ioredis|nodemailer|stripe|@aws-sdk/.*|@azure/.*|@google-cloud/.*)(/.*)?$',
  message: 'Only server/src/db and server/src/adapters may import database drivers and vendor SDKs.',
}

const globals = {
  fetch: {
    name: 'fetch',
    message: 'Send requests with console/src/lib/client.ts, which handles sessions and errors.',
  },
  storage: ['localStorage', 'sessionStorage'].map((name) => ({
    name,
    message: 'Use console/src/lib/storage.ts, which defines all keys.',
  })),
}
const globalProperties = [globals.fetch, ...globals.storage].flatMap(({ name, message }) =>
  ['window', 'globalThis'].map((object) => ({ object, property: name, message })),
)

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '**/.cache/',
      'data/',
      'coverage/',
      'test-results/',
      'playwright-report/',
    ],
  },

  {
    files: typescript,
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'id-denylist': ['error', ...vagueNames],
      complexity: ['error', 12],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': ['error', environmentAccess],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/naming-convention': ['error', ...namingConvention],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // Fastify handlers and our ports must return promises, even if one has nothing to wait for.
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
      'boundaries/element-types': ['error', importRules],
      'boundaries/no-unknown': 'error',
      'boundaries/no-unknown-files': 'error',
    },
  },

  {
    files: ['contract/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\.|zod$)',
              message: 'The contract runs in browsers and in Node. It may import only zod and itself.',
            },
          ],
        },
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
              message: 'Resources must not import zod or shapes, so that lists and the sign-in page load no schemas.',
            },
            {
              regex: '^(?!\\.|zod$)',
              message: 'The contract runs in browsers and in Node. It may import only zod and itself.',
            },
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
  {
    files: ['server/src/**/*.ts'],
    ignores: ['server/src/{main,doctor,move-calls,stack-traces}.ts', '**/*.test.ts'],
    rules: { 'no-restricted-properties': ['error', environmentAccess, ...serverOutput] },
  },
  {
    files: ['server/src/config/config.ts'],
    rules: { 'no-restricted-properties': ['error', ...serverOutput] },
  },
  // The server prints its startup messages and logs everything later. The other programs only print.
  {
    files: ['server/src/{main,doctor,move-calls}.ts', 'bench/**/*.ts', 'demo/**/*.ts', 'prove/**/*.ts'],
    rules: { 'no-console': 'off' },
  },

  {
    files: ['console/src/**/*.{ts,tsx}'],
    extends: [jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // Copying a record into state in an effect creates a second source of truth.
      'react-hooks/set-state-in-effect': 'error',
      'react-hooks/static-components': 'error',
      // Dialogs and the sign-in page focus their first field.
      'jsx-a11y/no-autofocus': 'off',
      'no-restricted-globals': ['error', globals.fetch, ...globals.storage],
      'no-restricted-properties': ['error', environmentAccess, ...globalProperties],
    },
  },
  {
    // A recording on another server must get neither the session nor its error handling.
    files: [
      'console/src/lib/{client,fetch-with-retry}.ts',
      'console/src/features/recent-calls/player/external-recording.ts',
    ],
    rules: { 'no-restricted-globals': ['error', ...globals.storage] },
  },
  {
    files: ['console/src/lib/storage.ts'],
    rules: {
      'no-restricted-globals': ['error', globals.fetch],
      'no-restricted-properties': ['error', environmentAccess],
    },
  },
  // Vendor files contain only data, which may be long.
  { files: ['contract/src/speech/vendors/**'], rules: { 'max-lines': 'off' } },

  {
    files: tests,
    rules: {
      // Tests inspect untyped responses, and may use any module and global.
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
  {
    files: ['**/*.test.{ts,tsx}', 'e2e/**/*.ts', '*/test/**/*.{ts,tsx}'],
    // A `describe` block is one function.
    rules: { 'max-lines-per-function': 'off' },
  },
  { files: ['**/*.test.{ts,tsx}'], rules: { 'boundaries/element-types': 'off' } },
  // Tool configurations read the environment.
  {
    files: ['*.config.ts', 'console/vite.config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
)
