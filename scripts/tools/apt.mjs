import { run } from './run.mjs'

/**
 * Installs a Debian package without prompts. Retries, because package lists and mirrors fail now and then.
 * @param {string} name
 * @param {number} [attempts]
 */
export const aptInstall = async (name, attempts = 3) => {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await run('apt-get', ['update', '-qq'], { captureOutput: true, env })
    const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
      captureOutput: true,
      env,
    })
    if (code === 0) return true
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, attempt * 5000))
    else if (attempts > 1) console.error(output.trim().split('\n').slice(-5).join('\n'))
  }
  return false
}
