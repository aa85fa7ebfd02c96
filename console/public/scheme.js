// Sets the light or dark scheme before the first paint: the user's stored choice, or else the scheme of the system.
// src/theme/scheme.ts communicates with this file through the two events. src/lib/storage.ts keeps the key after sign-out.
;(function () {
  var key = 'trunkline.scheme'
  var root = document.documentElement
  var dark = matchMedia('(prefers-color-scheme: dark)')
  var choice = null
  try {
    choice = localStorage.getItem(key)
    // signed-in users see the outline of the console while its code loads
    if (localStorage.getItem('token') && /^\/internal\//.test(location.pathname))
      root.setAttribute('data-loading-page', '')
  } catch (_) {
    // a browser without storage follows the system
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
})()
