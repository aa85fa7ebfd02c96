import { accessSync, constants, statSync } from 'node:fs'
import { failed, type Finding } from './checks'

/**
 * Whether this user may read and write a file or folder. `existsSync` cannot tell: in a folder that the user may not read,
 * every file seems to be missing.
 */
export const readAccess = (path: string): 'permitted' | 'denied' | 'missing' => {
  try {
    // As the effective user, unlike `accessSync`.
    statSync(path)
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return 'denied'
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
  }
  // A read-only file system is reported by the test that writes.
  return 'permitted'
}

/** For a path whose access is denied. */
export const accessDenied = (name: string): Finding =>
  failed(
    `This user may not read and write ${name}.`,
    'Run doctor as the user of the server. If this is that user, change the owner or the mode of the file.',
  )
