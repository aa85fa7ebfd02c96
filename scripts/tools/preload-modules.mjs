const moduleScript = /<script type="module" crossorigin src="([^"]*)"><\/script>/g

/**
 * Replaces the module scripts of a page by preloads: boot.js starts the modules.
 * @param {string} page
 */
export const replaceModuleScripts = (page) =>
  page.replace(moduleScript, (_, url) => `<link rel="modulepreload" crossorigin href="${url}" />`)

/**
 * A Vite plugin: boot.js starts the built application, instead of the browser.
 * @returns {import('vite').Plugin}
 */
export const preloadModules = () => ({
  name: 'preload-modules',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: replaceModuleScripts },
})
