import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useBackend } from './render'

const { render, world, backend } = useBackend()

/** Writes this many alerts of acme, `later` milliseconds from now. */
const raise = async (count: number, later = 0) => {
  const { acme, providers } = world()
  const now = Date.now() + later
  await backend().services.callHistory.write(
    'alerts',
    Array.from({ length: count }, (_, at) => ({
      tags: { account_sid: acme.account, service_provider_sid: providers.north, alert_type: 'webhook-failure' },
      fields: { message: `alert ${now} ${at}` },
      time: BigInt(now + at) * 1_000_000n,
    })),
  )
}

const entry = () => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /Alerts/ })

it('counts unseen alerts', async () => {
  await raise(3)
  const { user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(entry().textContent).toBe('Alerts3 new'))
  await user.click(entry())
  await screen.findAllByText(/alert \d+ 2/)
  await waitFor(() => expect(entry().textContent).toBe('Alerts'))
  expect(localStorage.getItem('alertsLastViewed')).toMatch(/^\d{4}-/)
})

it('counts equal alerts as one, as the list does', async () => {
  const { acme, bolt, providers } = world()
  localStorage.setItem('alertsLastViewed', new Date(Date.now() + 30_000).toISOString())
  await backend().services.callHistory.write(
    'alerts',
    [acme, bolt, acme].map(({ account }, at) => ({
      tags: { account_sid: account, service_provider_sid: providers.north, alert_type: 'tts-failure' },
      fields: { message: 'equal alerts' },
      time: BigInt(Date.now() + 60_000 + at) * 1_000_000n,
    })),
  )
  const { user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(entry().textContent).toBe('Alerts1 new'))
  expect(within(entry()).getByTitle('Identical alerts count as one')).toBeTruthy()
  await user.click(entry())
  await screen.findByText('3×')
  await waitFor(() => expect(entry().textContent).toBe('Alerts'))
})

it('links to the days that have the alerts, and marks only the displayed ones as seen', async () => {
  await raise(2, -2 * 86_400_000)
  const { address, user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(entry().getAttribute('href')).toBe('/internal/alerts?date=7'))
  const counted = entry().textContent
  expect(counted).toMatch(/^Alerts\d\+? new$/)
  await user.click(entry())
  expect(address()).toBe('/internal/alerts?date=7')
  await waitFor(() => expect(entry().textContent).toBe('Alerts'))
  expect(entry().getAttribute('href')).toBe('/internal/alerts')
})

it("does not count alerts that are older than the list's maximum range", async () => {
  localStorage.setItem('alertsLastViewed', new Date(Date.now() - 20 * 86_400_000).toISOString())
  const alerts = vi.spyOn(backend().services.callHistory, 'alertGroups')
  await render('/internal/applications', { as: 'provider' })
  await waitFor(() => expect(alerts).toHaveBeenCalled(), { timeout: 10_000 })
  const lastCall = alerts.mock.calls.at(-1)
  expect(JSON.stringify(lastCall)).not.toContain(localStorage.getItem('alertsLastViewed'))
  alerts.mockRestore()
})

it('counts alerts since the last visit, and polls for new ones', async () => {
  localStorage.setItem('alertsLastViewed', new Date(Date.now() + 60_000).toISOString())
  await render('/internal/applications', { as: 'account', features: { alertPollSeconds: 1 } })
  await screen.findByRole('heading', { name: /Applications/ })
  // the alerts of earlier tests are older
  await waitFor(() => expect(entry().textContent).toBe('Alerts'))
  await raise(12, 120_000)
  await waitFor(() => expect(entry().textContent).toBe('Alerts9+ new'))
})

it('shows no error if alerts cannot be counted', async () => {
  const { callHistory } = backend().services
  const alerts = vi.spyOn(callHistory, 'alertGroups').mockRejectedValue(new Error('away'))
  await render('/internal/applications', { as: 'provider' })
  await waitFor(() => expect(alerts).toHaveBeenCalledTimes(2), { timeout: 10_000 })
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(entry().textContent).toBe('Alerts')
  alerts.mockRestore()
})
