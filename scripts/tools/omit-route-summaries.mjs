const resourceFile = /\/contract\/src\/resources\/[\w-]+\.ts$/
/** The method, the path and the summary of a route. */
const route = /('(?:GET|POST|PUT|DELETE)',\s*'[^']*',\s*)(?:'[^']*'|"[^"]*")/g

/**
 * Removes the summaries of routes, which only the API documentation shows, from the console's code.
 * @returns {import('vite').Plugin}
 */
export const omitRouteSummaries = () => ({
  name: 'omit-route-summaries',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) => (resourceFile.test(id) ? code.replaceAll(route, "$1''") : null),
})
