import { expect, test } from 'vitest'
import { compileEagerly } from './compile-eagerly.mjs'

const { generateBundle } = compileEagerly() as unknown as {
  generateBundle: { handler: (options: object, bundle: object) => void }
}

test('only the code of every visit has the compile hint, as its first line', () => {
  const bundle = {
    start: { type: 'chunk', name: 'start', code: 'const a = 1' },
    forms: { type: 'chunk', name: 'forms', code: 'const b = 1' },
    style: { type: 'asset', name: 'start', source: 'a {}' },
  }
  generateBundle.handler({}, bundle)
  expect(bundle).toEqual({
    start: { type: 'chunk', name: 'start', code: '//# allFunctionsCalledOnLoad\nconst a = 1' },
    forms: { type: 'chunk', name: 'forms', code: 'const b = 1' },
    style: { type: 'asset', name: 'start', source: 'a {}' },
  })
})
