import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface RunningServer {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => RunningServer

/** An S3-compatible server with one empty bucket, `recordings`, and the access key S3RVER. */
export const startBucket = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'trunkline-bucket-'))
  const configureBuckets = [{ name: 'recordings' }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
