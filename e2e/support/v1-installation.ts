import { createApiClient, type ApiClient } from '../../scripts/launch/api'
import { startServer, type TestServer } from '../../scripts/launch/server'
import { startV1Api, type V1Api } from './v1-api-double'

/** A console that uses the double of a v1 server as its API server. */
export interface V1Installation {
  /** The real server behind the double. */
  server: TestServer
  /** The real server's API, as administrator. */
  api: ApiClient
  v1Api: V1Api
  /** Serves the console only. */
  consoleServer: TestServer
  dispose(): Promise<void>
}

/**
 * Starts the three servers of a console in front of a v1 server.
 * @param settings environment variables of the real server
 */
export const startV1Installation = async (settings: Record<string, string> = {}): Promise<V1Installation> => {
  const server = await startServer(settings)
  const v1Api = await startV1Api(server)
  const consoleServer = await startServer({ API_BASE_URL: v1Api.url })
  return {
    server,
    api: createApiClient(server.url, server.apiKey),
    v1Api,
    consoleServer,
    dispose: async () => {
      await consoleServer.dispose()
      await v1Api.close()
      await server.dispose()
    },
  }
}
