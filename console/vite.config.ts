import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** UI components and icons of the sign-in page. They go into the chunk `start`. */
const signInModules =
  /\/ui\/(button|link|shell\/(brand|sign-in-card)|feedback\/(toast|toast-store)|form\/(text-field|field|field-message)|dialog\/modal-stack)\.|\/icons\/(circle-exclamation-point|circle-check|x|eye|eye-off)\.|\/lucide-react\/dist\/esm\/(?!icons\/)/

/** Icons that several pages share. */
const isSharedIcon = (id: string) => /\/lucide-react\//.test(id) && !signInModules.test(id)

const matchAny = (...parts: string[]) => new RegExp(parts.join('|'))

/** All other code that the sign-in page needs, even if other pages need it too. Also in the chunk `start`. */
const startModules = matchAny(
  '/node_modules/(react|react-dom|scheduler|use-sync-external-store)/',
  '/node_modules/@tanstack/(react-router|router-core|history|store|react-store)/',
  'preload-helper',
  '/console/src/features/sign-in/',
  '/console/src/session/(session|token|landing-path|unsaved-inputs|permission)\\.',
  '/console/src/lib/(client|detect-server|storage|problem|feature-flags|paths|page-unload)\\.',
  '/contract/src/(kit/route|resources/session|feature-flags|policy|messages/(session|general|account|access)\\.)',
)

/**
 * Code that every list needs in addition: the shell, `kit`, the contract's resources, the query cache, and components
 * that few other pages share.
 */
const listModules = matchAny(
  '/console/src/kit/(list/(?!bulk-bar|select-all|use-deselect-deleted-rows|csv-table)[\\w-]+|record/(record|record-name|use-can-edit)|form/confirm-leave)\\.(tsx?|module\\.css)$',
  '/console/src/(kit/record/kind-labels|fields/record-options|lib/(query|query-keys|request-list|use-debounced|server-capabilities|phone-number|download-file|time)|session/(current-provider|me-query)|theme/scheme)\\.',
  '/console/src/ui/(muted|tag|key-caps|shell/page|feedback/progress)\\.',
  '/console/src/features/accounts/(lazy-dependents|plan|list)\\.',
  '/lucide-react/dist/esm/icons/triangle-exclamation-point\\.',
  '/contract/src/(resources/(?!account-test|availability|capture|charge|messaging|sip-gateway|smpp-gateway|webhook|session|limit|alert|recent-call|trace|recording|live-call)|messages/api-key\\.|kit/(resource|page))',
  // the frame around every page, and components that most pages share
  '/console/src/app/(signed-in-layout|shell|keyboard-shortcuts|navigation|use-own-lcr|provider-menu|switch-provider|use-breadcrumbs|lower-case-label)\\.',
  '/console/src/ui/(check-mark|copy|monogram|status|chart/rows-with-detail)\\.',
  '/console/src/ui/table/(cell-title|data-(card|columns|row|table)|filter-select|page-numbers|pager|row-navigation|select-box|table|table-(cells|region|rows)|toolbar|windowed-rows)\\.',
  '/console/src/ui/feedback/(empty-state|failed-state|skeleton)\\.',
  '/console/src/ui/form/(listbox|match-options|popup-position)\\.',
  '/console/src/ui/shell/(breadcrumbs|frame|not-found-view|palette-input|provider-switcher|sidebar|theme-switch|use-window-width|user-menu)\\.',
  '/lucide-react/dist/esm/icons/(chevrons-up-down|log-out|menu|monitor|moon|panel-left-(close|open)|phone-call|search|settings|sun)\\.',
  // react-query, without the part that only the command palette uses
  '/node_modules/@tanstack/(react-query|query-core)/(?!.*/(useQueries|queriesObserver))',
)

/** Code that many forms need and no list needs. Loaded with the first form. */
const formModules = matchAny(
  '/contract/src/resources/(app-env|google-custom-voice|predefined-carrier|sbc|smpps?|speech-credential|system-information|tts-cache)\\.',
  '/console/src/ui/(tabs|form/(section|box|masked-secret|read-only-note|file-input))\\.',
)

/** The API server during console development. */
const apiOrigin = 'http://127.0.0.1:3000'

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
            { name: 'start', test: (id) => signInModules.test(id) || startModules.test(id) },
            { name: 'forms', test: formModules },
            { name: 'lists', test: listModules },
            { name: 'icons', test: isSharedIcon, minShareCount: 3 },
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
    proxy: { '/v1': apiOrigin, '/config.json': apiOrigin },
  },
})
