import { createRequire } from 'node:module'
import { BlobServiceClient } from '@azure/storage-blob'

interface AzuriteServer {
  start(): Promise<void>
  close(): Promise<void>
  getHttpServerAddress(): string
}

const requireModule = createRequire(import.meta.url)
const { default: BlobConfiguration } = requireModule('azurite/dist/src/blob/BlobConfiguration') as {
  default: new (...settings: unknown[]) => unknown
}
const { default: BlobServer } = requireModule('azurite/dist/src/blob/BlobServer') as {
  default: new (configuration: unknown) => AzuriteServer
}

/** The public test account of Azurite. */
const accountName = 'devstoreaccount1'
const accountKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const connectionString = (address: string, secret: string) =>
  `DefaultEndpointsProtocol=http;AccountName=${accountName};AccountKey=${secret};BlobEndpoint=${address}/${accountName};`

/** Starts Azurite, an emulator of Azure Blob Storage, on a free port with one empty container `recordings` in memory. */
export const startAzure = async () => {
  // The constructor of Azurite takes positional arguments.
  const [isLogging, noFile] = [false, undefined]
  const server = new BlobServer(
    new BlobConfiguration(
      ...['127.0.0.1', 0, 5, '', '', [], isLogging, noFile, isLogging, noFile],
      ...[true, true, '', '', '', undefined, false, true],
    ),
  )
  await server.start()
  const address = server.getHttpServerAddress()
  await BlobServiceClient.fromConnectionString(connectionString(address, accountKey)).createContainer('recordings')
  return {
    connectionString: connectionString(address, accountKey),
    /** A connection string with a wrong key. */
    wrongConnectionString: connectionString(address, Buffer.alloc(64, 1).toString('base64')),
    stop: () => server.close(),
  }
}
