import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/system-health'
import type { SystemHealth } from '@trunkline/contract/shapes/system-health'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createJaegerTraces } from '../../server/src/adapters/traces/jaeger'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const closedPort = 1
const { render, backend } = useBackend(
  { warnings: ['TRUST_PROXY is not set.'] },
  { traces: createJaegerTraces(`http://127.0.0.1:${closedPort}`) },
)
const path = '/internal/system-health'
const findCheck = async (name: string) =>
  within((await screen.findByRole('heading', { name, level: 3 })).closest<HTMLElement>('li')!)

const checked_at = new Date().toISOString()
const health: SystemHealth = {
  version: '0.0.0',
  checked_at,
  checks: [
    { name: 'Database', status: 'passed', checked_at, findings: [{ status: 'passed', summary: 'It answers.' }] },
  ],
}
const jsonResponse = (status: number, body: object) => Response.json(body, { status })

/** Answers the requests of the screen in place of the server. */
const answerHealthRequests = (createResponse: () => Response) => {
  const send = globalThis.fetch
  const respond = vi.fn(createResponse)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
    requestUrl(input).includes('/SystemHealth') ? respond() : send(input, init),
  )
  return respond
}
afterEach(() => void vi.restoreAllMocks())

describe('the screen System health', () => {
  it('opens from the navigation of administrators', async () => {
    const { user, currentPath } = await render('/internal/users', { as: 'admin' })
    await user.click(await screen.findByRole('link', { name: 'System health' }))
    expect(await screen.findByRole('heading', { name: 'System health', level: 1 })).toBeTruthy()
    expect(currentPath()).toBe(path)
  })

  it('is not in the navigation of other users', async () => {
    await render('/internal/users', { as: 'north' })
    expect(await screen.findByRole('link', { name: 'Settings' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'System health' })).toBeNull()
  })

  it('shows the state of each check, problems first, and how to repair them', async () => {
    await render(path, { as: 'admin' })
    const jaeger = await findCheck('Jaeger')
    expect(jaeger.getByText('Failed')).toBeTruthy()
    expect(jaeger.getByText('Check JAEGER_URL, and that Jaeger is running.')).toBeTruthy()
    expect((await findCheck('Settings')).getByText('Warning')).toBeTruthy()
    expect((await findCheck('Tables')).getByText('Passed')).toBeTruthy()
    expect(screen.getByText(/^\d+ checks? (has|have) failed/).closest('[role=status]')).toBeTruthy()
    const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(names.indexOf('Jaeger')).toBeLessThan(names.indexOf('Settings'))
    expect(names.indexOf('Settings')).toBeLessThan(names.indexOf('Tables'))
    expect(screen.getByText('Version 0.0.0')).toBeTruthy()
  })

  it('checks again on request', async () => {
    const { user } = await render(path, { as: 'admin' })
    await findCheck('Tables')
    const respond = answerHealthRequests(() => jsonResponse(200, { ...health, version: '9.9.9' }))
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('Version 9.9.9')).toBeTruthy()
    expect(await screen.findByText(messages.allPassed)).toBeTruthy()
    expect(respond).toHaveBeenCalledTimes(1)
  })

  it('shows the time of a check that the server repeats less often', async () => {
    const older = { ...health.checks[0]!, name: 'Buckets', checked_at: '2026-01-02T03:04:05.000Z' }
    answerHealthRequests(() => jsonResponse(200, { ...health, checks: [...health.checks, older] }))
    await render(path, { as: 'admin' })
    expect((await findCheck('Buckets')).getByText(/^Checked (Jan 2|2026-01-02) /)).toBeTruthy()
    expect((await findCheck('Database')).queryByText(/^Checked/)).toBeNull()
  })

  it('says why it has no results, and loads them with Try again', async () => {
    const respond = answerHealthRequests(() => jsonResponse(503, { msg: 'The database is down.' }))
    const { user } = await render(path, { as: 'admin' })
    expect(await screen.findByRole('heading', { name: 'The database is down.' })).toBeTruthy()
    respond.mockImplementation(() => jsonResponse(200, health))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await findCheck('Database')
  })

  it('keeps the last results if the checks cannot be repeated', async () => {
    const { user } = await render(path, { as: 'admin' })
    await findCheck('Tables')
    answerHealthRequests(() => jsonResponse(503, { msg: 'The database is down.' }))
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText(messages.outdated('The database is down.'))).toBeTruthy()
    await findCheck('Tables')
  })

  it('explains that another server does not report its health', async () => {
    const v1Server = await startV1Server(backend().app)
    try {
      await render(path, { as: 'admin', features: { apiBaseUrl: v1Server.apiBaseUrl } })
      expect(await screen.findByRole('heading', { name: messages.notProvided })).toBeTruthy()
      await waitFor(() => expect(screen.queryByRole('link', { name: 'System health' })).toBeNull())
    } finally {
      v1Server.close()
    }
  })
})
