import { run } from './run.mjs'

/**
 * Installs a Debian package without prompts. Retries, because package lists and mirrors fail now and then.
 * @param {string} name
 */
export const aptInstall = async (name) => {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (let attempt = 1; attempt <= 3; attempt++) {
    await run('apt-get', ['update', '-qq'], { captureOutput: true, env })
    const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
      captureOutput: true,
      env,
    })
    if (code === 0) return true
    if (attempt === 3) console.error(output.trim().split('\n').slice(-5).join('\n'))
    else await new Promise((resolve) => setTimeout(resolve, attempt * 5000))
  }
  return false
}
