import { UploadInProgress, type RecordingArchive } from '../../ports/recording-archive'
import type { UploadClaims } from './sql-upload-claims'

/**
 * An archive into which a file comes once, also where several servers with files of their own work on one database. A claim that
 * cannot be ended expires by itself, so it does not fail what is safe already.
 */
export const claimedArchive = (
  archive: RecordingArchive,
  claims: UploadClaims,
  tell: (fault: string) => void,
): RecordingArchive => {
  const orTell = (work: Promise<void>) =>
    work.catch((error: unknown) => tell(`The claim on an upload was not ended: ${(error as Error).message}`))

  return {
    ...archive,

    async startUpload(account_sid, name, about, spoken) {
      if (spoken) return archive.startUpload(account_sid, name, about, spoken)
      const claim = await claims.claim({ account_sid, name })
      if (!claim) throw new UploadInProgress()
      try {
        const coming = await archive.startUpload(account_sid, name, about)
        return {
          write: (bytes) => coming.write(bytes),
          async end() {
            await coming.end()
            await orTell(claim.keep())
          },
          // also after an end that failed
          drop: () => coming.drop().finally(() => orTell(claim.release())),
        }
      } catch (error) {
        await orTell(claim.release())
        throw error
      }
    },

    async remove(account_sid, name) {
      const removed = await archive.remove(account_sid, name)
      if (removed) await orTell(claims.drop({ account_sid, name }))
      return removed
    },

    async forget(account_sid) {
      await archive.forget(account_sid)
      await claims.forget(account_sid)
    },

    async prune() {
      await archive.prune()
      await claims.prune()
    },
  }
}
