const iconFile = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/
const randomKey = /key: "\w+"/g

/**
 * Replaces the random React keys in the data of icons by numbers. Random text cannot be compressed.
 * @returns {import('vite').Plugin}
 */
export const shortenIconKeys = () => ({
  name: 'shorten-icon-keys',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) => {
    if (!iconFile.test(id)) return null
    let count = 0
    return code.replaceAll(randomKey, () => `key: "${count++}"`)
  },
})
