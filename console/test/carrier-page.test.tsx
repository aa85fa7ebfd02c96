import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { useBackend } from './render'

const { render, backend, testData } = useBackend()

const pagePath = () => `/internal/carriers/${testData().acme.voip_carrier}`
const findPanel = async (title: string) => within(await screen.findByRole('region', { name: title }))
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })

const buildCall = (trunk: string, at: number, answered: boolean, fields: Point['fields']): Point => ({
  tags: {
    account_sid: testData().acme.account,
    service_provider_sid: testData().providers.north,
    trunk,
    direction: 'outbound',
    answered: String(answered),
  },
  fields: { from: '16175550192', to: '18575550100', ...fields },
  timeNs: BigInt(at) * 1_000_000n,
})

const writeCalls = () => {
  const noon = new Date().setHours(12, 0, 0, 0)
  return backend().services.callHistory.writePoints('cdrs', [
    buildCall('acme trunk', noon, true, { call_sid: 'a', sip_status: 200, duration: 30 }),
    buildCall('acme trunk', noon, false, { call_sid: 'b', sip_status: 503 }),
  ])
}

describe('the page of a carrier', () => {
  it('shows gateways, calls, failures and phone numbers', async () => {
    await writeCalls()
    const { user, currentPath } = await render('/internal/carriers', { as: 'north' })
    await user.click(await screen.findByRole('link', { name: 'acme trunk' }))
    await findTitle('acme trunk')
    expect(currentPath()).toBe(pagePath())
    await waitFor(() => expect(document.title).toBe('acme trunk · Carriers · Trunkline'))
    expect(await (await findPanel('Gateways')).findByText('Inbound and outbound')).toBeTruthy()
    const failures = await findPanel('Failures by SIP status')
    const failedCalls = await failures.findByRole('link', { name: '1 call with 503' })
    expect(failedCalls.getAttribute('href')).toMatch(/status=not-answered&sip=503&trunk=acme\+trunk$/)
    expect(await (await findPanel('Last 7 days')).findByRole('link', { name: /^Answered 50\.0%/ })).toBeTruthy()
    expect(await (await findPanel('Recent calls')).findByText('503')).toBeTruthy()
    expect(await (await findPanel('Numbers')).findByRole('link', { name: '(555) 000-0011' })).toBeTruthy()
    const tabs = within(screen.getByRole('navigation', { name: 'Sections of acme trunk' }))
    // the number of the panel below
    expect(await tabs.findByRole('link', { name: 'Numbers 1 of acme trunk' })).toBeTruthy()
    const callsTab = tabs.getByRole('link', { name: 'Calls of acme trunk' })
    expect(callsTab.getAttribute('href')).toBe('/internal/recent-calls?date=7&trunk=acme+trunk')
    await user.click(screen.getByRole('link', { name: 'Edit' }))
    await findTitle('Edit carrier')
    expect(currentPath()).toBe(`${pagePath()}/edit`)
  })

  it('shows a shared carrier to account users, without its phone numbers', async () => {
    await render(`/internal/carriers/${testData().shared.north.voip_carrier}`, { as: 'acme' })
    await findTitle('North shared')
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
    await findPanel('Last 7 days')
    expect(screen.queryByRole('region', { name: 'Numbers' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('is marked as failing while its calls fail, in the list too', async () => {
    const failures = ['x', 'y', 'z'].map((call_sid, index) =>
      buildCall('North shared', Date.now() - index * 60_000, false, { call_sid, sip_status: 503 }),
    )
    await backend().services.callHistory.writePoints('cdrs', failures)
    const { user } = await render('/internal/carriers', { as: 'north' })
    await screen.findByText('Failing')
    expect(screen.getAllByText('Active').length).toBeGreaterThan(0)
    await user.click(screen.getByRole('link', { name: 'North shared' }))
    await findTitle('North shared')
    const panel = await findPanel('Failing')
    expect(panel.getByText('Outbound calls fail: 503 Service Unavailable')).toBeTruthy()
    const failedCalls = panel.getByRole('link', { name: '503 3 calls of North shared' })
    expect(failedCalls.getAttribute('href')).toContain('trunk=North+shared')
    expect(screen.getAllByText('Failing').length).toBe(2)
  })
})
