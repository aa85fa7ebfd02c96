import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface RunningServer {
  run(): Promise<{ address: string; port: number }>
  close(): Promise<void>
}
type ServerClass = new (options: object) => RunningServer

const S3rver = createRequire(import.meta.url)('s3rver') as ServerClass

/** The only access key of this server, which ignores the secret. */
export const s3Key = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }

/** Starts s3rver, an emulator of Amazon S3, on a free port with one empty bucket `recordings`. */
export const startS3 = async (): Promise<{ endpoint: string; stop: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'trunkline-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'recordings' }],
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
