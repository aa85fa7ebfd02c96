// Light or dark is decided before the first paint, kept when it is chosen, and follows the system until then.
// src/theme/scheme.ts speaks to this file by the two events; src/lib/storage.ts lets the key outlive a session.
;(function () {
  var key = 'trunkline.scheme'
  var root = document.documentElement
  var dark = matchMedia('(prefers-color-scheme: dark)')
  var choice = null
  try {
    choice = localStorage.getItem(key)
    // who is signed in sees the outline of the console while its code is loading
    if (localStorage.getItem('token') && /^\/internal\//.test(location.pathname)) root.setAttribute('data-boot', '')
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
      // then it holds for this page
    }
    apply()
  })
  addEventListener('storage', function (event) {
    if (event.key !== key) return
    choice = event.newValue
    apply()
  })
  // a script of the page did not arrive: index.html has a sentence for that
  addEventListener(
    'error',
    function (event) {
      if (event.target.tagName === 'SCRIPT') root.setAttribute('data-lost', '')
    },
    true,
  )
  apply()
})()
