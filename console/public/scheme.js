// Light or dark is decided before the first paint; the name of the kept value is also in src/theme/theme.tsx.
;(function () {
  var dark = matchMedia('(prefers-color-scheme: dark)')
  var kept = function () {
    try {
      return localStorage.getItem('trunkline.scheme')
    } catch (_) {
      return null
    }
  }
  var apply = function () {
    var choice = kept()
    var scheme = choice === 'light' || choice === 'dark' ? choice : dark.matches ? 'dark' : 'light'
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  }
  dark.addEventListener('change', apply)
  apply()
})()
