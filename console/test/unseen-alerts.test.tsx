import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useBackend } from './render'

const { render, testData, backend } = useBackend()

/** Writes this many alerts of acme, dated `offsetMs` from now. */
const writeAlerts = async (count: number, offsetMs = 0) => {
  const { acme, providers } = testData()
  const startMs = Date.now() + offsetMs
  await backend().services.callHistory.writePoints(
    'alerts',
    Array.from({ length: count }, (_, index) => ({
      tags: { account_sid: acme.account, service_provider_sid: providers.north, alert_type: 'webhook-failure' },
      fields: { message: `alert ${startMs} ${index}` },
      timeNs: BigInt(startMs + index) * 1_000_000n,
    })),
  )
}

const findAlertsLink = () =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /Alerts/ })

it('counts unseen alerts', async () => {
  await writeAlerts(3)
  const { user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts3 new'))
  await user.click(findAlertsLink())
  await screen.findAllByText(/alert \d+ 2/)
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts'))
  expect(localStorage.getItem('alertsLastViewed')).toMatch(/^\d{4}-/)
})

it('counts equal alerts as one, as the list does', async () => {
  const { acme, bolt, providers } = testData()
  localStorage.setItem('alertsLastViewed', new Date(Date.now() + 30_000).toISOString())
  await backend().services.callHistory.writePoints(
    'alerts',
    [acme, bolt, acme].map(({ account }, index) => ({
      tags: { account_sid: account, service_provider_sid: providers.north, alert_type: 'tts-failure' },
      fields: { message: 'equal alerts' },
      timeNs: BigInt(Date.now() + 60_000 + index) * 1_000_000n,
    })),
  )
  const { user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts1 new'))
  expect(within(findAlertsLink()).getByTitle('Identical alerts count as one')).toBeTruthy()
  await user.click(findAlertsLink())
  await screen.findByText('equal alerts')
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts'))
})

it('links to the days that have the alerts, and marks only the displayed ones as seen', async () => {
  await writeAlerts(2, -2 * 86_400_000)
  const { currentPath, user } = await render('/internal/accounts', { as: 'provider' })
  await waitFor(() => expect(findAlertsLink().getAttribute('href')).toBe('/internal/alerts?date=7'))
  const linkText = findAlertsLink().textContent
  expect(linkText).toMatch(/^Alerts\d\+? new$/)
  await user.click(findAlertsLink())
  expect(currentPath()).toBe('/internal/alerts?date=7')
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts'))
  expect(findAlertsLink().getAttribute('href')).toBe('/internal/alerts')
})

it("does not count alerts that are older than the list's maximum range", async () => {
  localStorage.setItem('alertsLastViewed', new Date(Date.now() - 20 * 86_400_000).toISOString())
  const alertGroupsSpy = vi.spyOn(backend().services.callHistory, 'listAlertGroups')
  await render('/internal/applications', { as: 'provider' })
  await waitFor(() => expect(alertGroupsSpy).toHaveBeenCalled(), { timeout: 10_000 })
  const lastArguments = alertGroupsSpy.mock.calls.at(-1)
  expect(JSON.stringify(lastArguments)).not.toContain(localStorage.getItem('alertsLastViewed'))
  alertGroupsSpy.mockRestore()
})

it('counts alerts since the last visit, and polls for new ones', async () => {
  localStorage.setItem('alertsLastViewed', new Date(Date.now() + 60_000).toISOString())
  await render('/internal/applications', { as: 'account', features: { alertPollSeconds: 1 } })
  await screen.findByRole('heading', { name: /Applications/ })
  // the alerts of earlier tests are older
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts'))
  await writeAlerts(12, 120_000)
  await waitFor(() => expect(findAlertsLink().textContent).toBe('Alerts9+ new'))
})

it('counts alerts although an alert of the far future was seen', async () => {
  localStorage.setItem('alertsLastViewed', '2099-01-01T00:00:00.000Z')
  await writeAlerts(1)
  await render('/internal/applications', { as: 'account' })
  await waitFor(() => expect(findAlertsLink().textContent).toMatch(/^Alerts\d\+? new$/))
})

it('shows no error if alerts cannot be counted', async () => {
  const { callHistory } = backend().services
  const alertGroupsSpy = vi.spyOn(callHistory, 'listAlertGroups').mockRejectedValue(new Error('away'))
  await render('/internal/applications', { as: 'provider' })
  await waitFor(() => expect(alertGroupsSpy).toHaveBeenCalledTimes(2), { timeout: 10_000 })
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(findAlertsLink().textContent).toBe('Alerts')
  alertGroupsSpy.mockRestore()
})
