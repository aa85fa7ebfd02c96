import { createRequire } from 'node:module'
import { BlobServiceClient } from '@azure/storage-blob'

interface Running {
  start(): Promise<void>
  close(): Promise<void>
  getHttpServerAddress(): string
}

const load = createRequire(import.meta.url)
const { default: BlobConfiguration } = load('azurite/dist/src/blob/BlobConfiguration') as {
  default: new (...settings: unknown[]) => unknown
}
const { default: BlobServer } = load('azurite/dist/src/blob/BlobServer') as {
  default: new (configuration: unknown) => Running
}

/** The public test account of Azurite. */
const name = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const connectionTo = (address: string, secret: string) =>
  `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${secret};BlobEndpoint=${address}/${name};`

/** Starts Azurite, an emulator of Azure Blob Storage, on a free port with one empty container `recordings` in memory. */
export const startAzure = async () => {
  const [noLog, noFile] = [false, undefined]
  const server = new BlobServer(
    new BlobConfiguration(
      ...['127.0.0.1', 0, 5, '', '', [], noLog, noFile, noLog, noFile],
      ...[true, true, '', '', '', undefined, false, true],
    ),
  )
  await server.start()
  const address = server.getHttpServerAddress()
  await BlobServiceClient.fromConnectionString(connectionTo(address, key)).createContainer('recordings')
  return {
    connection: connectionTo(address, key),
    /** The same with a wrong key. */
    wrongConnection: connectionTo(address, Buffer.alloc(64, 1).toString('base64')),
    stop: () => server.close(),
  }
}
