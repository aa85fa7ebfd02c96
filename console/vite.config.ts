import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Looks that the sign-in page has, and icons of theirs: they stay with it. */
const early =
  /\/ui\/(button|brand|toast|toast-store|sign-in-card|plain-field|field-error|link)\.|\/icons\/(circle-exclamation-point|circle-check|x|eye|eye-off)\.|\/lucide-react\/dist\/esm\/(?!icons\/)/

/** Looks of forms only, which bring the large library, and what is fetched when it is opened. */
const late =
  /\/ui\/(form-layout|inputs|choices|ticks|many-rows|command-palette-view|matched|dialog|confirm-dialog|in-use-dialog|form-dialog)\.|\.test\./

/** What every page after sign-in shows. In one file, as forty small ones take longer to ask for than to read. */
const shared = (id: string) =>
  (/\/console\/src\/ui\//.test(id) || /\/lucide-react\//.test(id)) && !early.test(id) && !late.test(id)

const anyOf = (...parts: string[]) => new RegExp(parts.join('|'))

/** What the first page needs beside its looks, whoever else needs it. In one file with them, for the same reason. */
const start = anyOf(
  '/node_modules/(react|react-dom|scheduler|use-sync-external-store)/',
  '/node_modules/@tanstack/(react-router|router-core|history|store|react-store)/',
  'preload-helper',
  '/console/src/session/(session|token|landing)\\.',
  '/console/src/lib/(client|storage|problem|features|paths|leaving)\\.',
  '/contract/src/(kit/route|resources/session|features|messages|policy)',
)

/** What every list needs besides: the kit, the calls of the contract, the cache, and looks that few other pages share. */
const lists = anyOf(
  '/console/src/kit/(list|list-parts|list-picks|account-pick|bulk|no-rows|look|paging|record|use-list|name-of)\\.(tsx?|module\\.css)$',
  '/console/src/(kit/(kinds|uses)|fields/record-options|lib/(query|abilities|phone|time)|session/provider|theme/scheme)\\.',
  '/console/src/ui/(quiet|page|masked-secret)\\.',
  '/contract/src/(resources/(?!session)|kit/(resource|page))',
  '/node_modules/@tanstack/(react-query|query-core)/',
  '/node_modules/@mantine/hooks/esm/(use-(focus-trap|focus-return|merged-ref|window-event|debounced-value|did-update)|utils)',
)

/** Where the API listens while the console is developed. */
const api = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2022',
    // files stay files: the content policy has no room for data: URLs
    assetsInlineLimit: 0,
    // every browser of the target loads modules ahead by itself
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'start', test: (id) => early.test(id) || start.test(id) },
            { name: 'lists', test: lists },
            { name: 'parts', test: shared, minShareCount: 3 },
          ],
        },
      },
      onwarn: (warning, warn) => {
        // libraries mark their files for a kind of server that we have not
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  server: {
    proxy: { '/v1': api, '/config.json': api },
  },
})
