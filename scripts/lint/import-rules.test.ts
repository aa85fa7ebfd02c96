import { ESLint } from 'eslint'
import boundaries from 'eslint-plugin-boundaries'
import { describe, expect, it } from 'vitest'
import tseslint from 'typescript-eslint'
import { projectPath, root } from '../tools/paths.mjs'
import { elements, importRules } from './import-rules.mjs'

const linter = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    plugins: { boundaries: boundaries as unknown as ESLint.Plugin },
    settings: {
      'boundaries/elements': elements,
      'import/resolver': { [projectPath('scripts', 'lint', 'resolver.cjs')]: {} },
    },
    rules: { 'boundaries/element-types': ['error', importRules], 'boundaries/no-unknown-files': 'error' },
  },
})

/** Whether the lint rules permit an import in a file. */
const isAllowed = async (file: string, statement: string) => {
  const [result] = await linter.lintText(`${statement}\n`, { filePath: projectPath(file) })
  return result?.messages.length === 0
}

/** The imported files may not exist, because only the compiler checks that. */
const cases: [isPermitted: boolean, file: string, statement: string][] = [
  [true, 'console/src/features/accounts/new.tsx', "import { a } from './list'"],
  [false, 'console/src/features/accounts/new.tsx', "import { a } from '../applications/list'"],
  [true, 'console/src/features/accounts/new.tsx', "import { a } from '../../lib/client'"],
  [false, 'console/src/features/accounts/new.tsx', "import { a } from '../../../../server/src/composition/app'"],
  [false, 'console/src/ui/new.tsx', "import { a } from '../lib/client'"],
  [false, 'console/src/ui/new.tsx', "import { a } from '@trunkline/contract/resources/account'"],
  [true, 'console/src/lib/new.ts', "import { a } from '@trunkline/contract/resources/account'"],
  [false, 'console/src/lib/new.ts', "import { a } from '../features/accounts/list'"],
  [true, 'contract/src/resources/new.ts', "import type { A } from '../shapes/account'"],
  [false, 'contract/src/resources/new.ts', "import { a } from '../shapes/account'"],
  [false, 'contract/src/kit/new.ts', "import { a } from '../resources/account'"],
  [true, 'server/src/resources/accounts/new.ts', "import { a } from './repository'"],
  [true, 'server/src/resources/accounts/new.ts', "import { a } from '../webhooks/public'"],
  [false, 'server/src/resources/accounts/new.ts', "import { a } from '../users/repository'"],
  [false, 'server/src/resources/accounts/new.ts', "import { a } from '../../composition/compose'"],
  [true, 'server/src/resources/accounts/new.ts', "import type { A } from '../../composition/services'"],
  [false, 'server/src/resources/accounts/new.ts', "import { a } from '../../composition/services'"],
  [false, 'server/src/resources/accounts/new.ts', "import { a } from '../../adapters/cache/memory'"],
  [false, 'server/src/jobs/new.ts', "import { a } from '../adapters/cache/memory'"],
  [false, 'server/src/main.ts', "import { a } from './adapters/cache/memory'"],
  [true, 'server/src/composition/new.ts', "import { a } from '../adapters/cache/memory'"],
  [false, 'server/src/http/new.ts', "import { a } from '../resources/accounts/repository'"],
  [true, 'server/src/http/new.ts', "import { a } from '@trunkline/contract/policy/can'"],
  [false, 'server/src/nowhere/new.ts', ''],
]

describe('import rules', () => {
  it.each(cases)('permitted: %s, in %s: %s', async (expected, file, statement) => {
    expect(await isAllowed(file, statement)).toBe(expected)
  })
})
