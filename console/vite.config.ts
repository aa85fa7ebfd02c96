import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** UI components and icons of the sign-in page. They go into the chunk `start`. */
const early =
  /\/ui\/(button|brand|toast|toast-store|sign-in-card|text-field|field|modal-stack|field-error|link)\.|\/icons\/(circle-exclamation-point|circle-check|x|eye|eye-off)\.|\/lucide-react\/dist\/esm\/(?!icons\/)/

/** Icons that several pages share. */
const icons = (id: string) => /\/lucide-react\//.test(id) && !early.test(id)

const anyOf = (...parts: string[]) => new RegExp(parts.join('|'))

/** All other code that the first page needs, even if other pages need it too. Also in the chunk `start`. */
const start = anyOf(
  '/node_modules/(react|react-dom|scheduler|use-sync-external-store)/',
  '/node_modules/@tanstack/(react-router|router-core|history|store|react-store)/',
  'preload-helper',
  '/console/src/features/sign-in/',
  '/console/src/session/(session|token|landing|draft|may)\\.',
  '/console/src/lib/(client|known-server|storage|problem|feature-flags|paths|leaving)\\.',
  '/contract/src/(kit/route|resources/session|feature-flags|policy|messages/(session|general|account|access)\\.)',
)

/**
 * Code that every list needs in addition: the shell, `kit`, the contract's resources, the query cache, and components
 * that few other pages share.
 */
const lists = anyOf(
  '/console/src/kit/(list|list-parts|list-picks|account-pick|chosen|every-page|export|no-rows|look|paging|record|use-list|name-of|may-leave|may-change)\\.(tsx?|module\\.css)$',
  '/console/src/(kit/kinds|fields/record-options|lib/(query|use-debounced|server-capabilities|phone|save-file|time)|session/(provider|me)|theme/scheme)\\.',
  '/console/src/ui/(quiet|page|progress|tag|key-caps)\\.',
  '/console/src/features/accounts/(uses|plan|list)\\.',
  '/lucide-react/dist/esm/icons/triangle-exclamation-point\\.',
  '/contract/src/(resources/(?!account-test|availability|capture|charge|messaging|sip-gateway|smpp-gateway|webhook|session|limit|alert|recent-call|trace|recording|live-call)|messages/api-key\\.|kit/(resource|page))',
  // the frame around every page, and components that most pages share
  '/console/src/app/(inside|shell|keys|navigation|own-routing|provider|switch-provider|trail)\\.',
  '/console/src/ui/(beside|check-mark|copy|cut-title|data-table|empty-state|failed-state|frame|listbox|find-options|popup-position|monogram|not-found-view|pager|pages-shown|palette-input|pick|provider-switcher|row-window|select-box|sidebar|skeleton|status|table-cards|table-grid|theme-switch|toolbar|trail|use-narrow|user-menu)\\.',
  '/lucide-react/dist/esm/icons/(chevrons-up-down|log-out|menu|monitor|moon|panel-left-(close|open)|phone-call|search|settings|sun)\\.',
  // react-query, without the part that only the command palette uses
  '/node_modules/@tanstack/(react-query|query-core)/(?!.*/(useQueries|queriesObserver))',
)

/** Code that many forms need and no list needs. Loaded with the first form. */
const forms = anyOf(
  '/contract/src/resources/(app-env|google-custom-voice|predefined-carrier|sbc|smpps?|speech-credential|system-information|tts-cache)\\.',
  '/console/src/ui/(section|tabs|box|masked-secret|read-only-note|file-input)\\.',
)

/** The API server during console development. */
const api = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2022',
    // never inline assets: the Content-Security-Policy forbids data: URLs
    assetsInlineLimit: 0,
    // every target browser supports module preloading
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'start', test: (id) => early.test(id) || start.test(id) },
            { name: 'forms', test: forms },
            { name: 'lists', test: lists },
            { name: 'icons', test: icons, minShareCount: 3 },
          ],
        },
      },
      onwarn: (warning, warn) => {
        // libraries mark files for React Server Components, which we do not use
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  server: {
    proxy: { '/v1': api, '/config.json': api },
  },
})
