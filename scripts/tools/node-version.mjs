/**
 * Returns an error message if a Node version cannot run the project.
 * Vite and better-sqlite3 set the minimum: 20.19 for Node 20, 22.12 for Node 22.
 * @param {string} version such as '20.19.0'
 * @returns {string | null} the message
 */
export const getUnsupportedNodeMessage = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (isSupported) return null
  return `Trunkline needs Node 20.19 or newer (Node 22: 22.12 or newer). This is Node ${version}. Install a newer version from https://nodejs.org/ and try again.`
}
