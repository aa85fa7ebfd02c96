import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startBackend } from '../../test/backend'
import { buildApp } from '../composition/app'
import { readConfig } from '../config/config'
import { examine } from './run'

const checkApi = async (apiBaseUrl: string) =>
  (await examine({ API_BASE_URL: apiBaseUrl })).find(({ name }) => name === 'API')?.findings

/** Starts a server with an API and a console. Returns its origin. */
const startServerWithConsole = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-api-check-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head><script src="/boot.js"></script></head>')
  const backend = await startBackend()
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const app = await buildApp({ config, services: backend.services, consoleFolder: folder, version: '0' })
  onTestFinished(async () => {
    await app.close()
    await backend.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

it('requires the path of the API, because the console answers elsewhere', async () => {
  const origin = await startServerWithConsole()
  for (const url of [`${origin}/v1`, `${origin}/v1/`])
    expect(await checkApi(url)).toEqual([{ status: 'passed', summary: `${url} answers (status 401).` }])
  for (const url of [origin, `${origin}/v2`])
    expect(await checkApi(url)).toMatchObject([
      {
        status: 'failed',
        summary: expect.stringContaining(`${url} is not an API server of version 1`) as string,
        repair: 'Check API_BASE_URL. Is /v1 missing at its end?',
      },
    ])
})

it('reports a page with status 200, and a server that fails', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url?.startsWith('/broken/') ? 502 : 200, { 'content-type': 'text/html' }).end('<html>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await checkApi(origin)).toMatchObject([
    { summary: `${origin} is not an API server of version 1 (status 200).` },
  ])
  expect(await checkApi(`${origin}/broken`)).toMatchObject([{ summary: `${origin}/broken fails (status 502).` }])
})
