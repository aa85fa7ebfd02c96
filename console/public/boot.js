// Runs before the first paint. Sets the light or dark scheme: the user's stored choice, or else the scheme of the system.
// src/theme/scheme.ts communicates with this file through the two events. src/lib/storage.ts keeps the key after sign-out.
// Then chooses the outline of the page (src/theme/outline.css), and starts a built console.
;(function () {
  var key = 'trunkline.scheme'
  var root = document.documentElement
  var dark = matchMedia('(prefers-color-scheme: dark)')
  var choice = null
  try {
    choice = localStorage.getItem(key)
    // an outline while the code loads: signed-in users see that of the console, others that of the sign-in screen
    var isSignedIn = Boolean(localStorage.getItem('token'))
    if (isSignedIn && /^\/internal\//.test(location.pathname)) root.setAttribute('data-loading-page', '')
    if (!isSignedIn && location.pathname === '/' && !isHosted()) root.setAttribute('data-sign-in-page', '')
  } catch (_) {
    // a browser without storage follows the system
  }
  // the sign-in screen of the hosted edition has more parts, which depend on its settings
  function isHosted() {
    var settings = document.getElementById('settings')
    return Boolean(settings && JSON.parse(settings.textContent).hosted)
  }
  var apply = function () {
    if (choice !== 'light' && choice !== 'dark') choice = 'auto'
    root.setAttribute('data-scheme-choice', choice)
    root.setAttribute('data-color-scheme', choice === 'auto' ? (dark.matches ? 'dark' : 'light') : choice)
    document.dispatchEvent(new Event('trunkline:scheme'))
  }
  dark.addEventListener('change', apply)
  document.addEventListener('trunkline:choose-scheme', function (event) {
    choice = event.detail
    try {
      localStorage.setItem(key, choice)
    } catch (_) {
      // without storage, the choice lasts until the page is reloaded
    }
    apply()
  })
  addEventListener('storage', function (event) {
    if (event.key !== key) return
    choice = event.newValue
    apply()
  })
  // a script failed to load: index.html shows a message
  addEventListener(
    'error',
    function (event) {
      if (event.target.tagName === 'SCRIPT') root.setAttribute('data-server-unreachable', '')
    },
    true,
  )
  apply()

  // only a built console has preloaded modules
  function startConsole() {
    var modules = Array.from(document.querySelectorAll('link[rel=modulepreload]'))
    Promise.all(
      modules.map(function (module) {
        return import(module.href)
      }),
    ).catch(function () {
      root.setAttribute('data-server-unreachable', '')
    })
  }
  document.addEventListener('DOMContentLoaded', function () {
    // the application occupies the browser for a while: before that, the outline of the sign-in screen is painted
    if (!root.hasAttribute('data-sign-in-page') || document.visibilityState === 'hidden') return startConsole()
    requestAnimationFrame(function () {
      setTimeout(startConsole)
    })
  })
})()
