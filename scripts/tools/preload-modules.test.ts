import { expect, it } from 'vitest'
import { replaceModuleScripts } from './preload-modules.mjs'

it('preloads the modules of a page instead of running them', () => {
  const page = `<script src="/boot.js"></script>
<script type="module" crossorigin src="/assets/runtime-1.js"></script>
<script type="module" crossorigin src="/assets/start-2.js"></script>`
  expect(replaceModuleScripts(page)).toBe(`<script src="/boot.js"></script>
<link rel="modulepreload" crossorigin href="/assets/runtime-1.js" />
<link rel="modulepreload" crossorigin href="/assets/start-2.js" />`)
})
