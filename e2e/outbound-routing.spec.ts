import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import type { ApiClient } from '../scripts/launch/api'
import { openAs } from '../scripts/launch/users'
import { expectToast, clickSave } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'routing' })

let service_provider_sid: string
let carrierSids: string[]
let lcrSid: string

const routeDraft = (regex: string, priority: number) => ({
  regex,
  priority,
  lcr_carrier_set_entries: [{ voip_carrier_sid: carrierSids[priority === 9999 ? 1 : 0] ?? '', priority: 0 }],
})
/** Sets the LCR's routes: these, and the default route. */
const setRoutes = (api: ApiClient, regexes: string[]) =>
  api.put(`/Lcrs/${lcrSid}`, { routes: [...regexes.map(routeDraft), routeDraft('.*', 9999)] })

test.beforeAll(async ({ api }) => {
  service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa routes' })
  carrierSids = [
    await api.add('/VoipCarriers', { name: 'Halden Telecom', service_provider_sid, tech_prefix: '4471#' }),
    await api.add('/VoipCarriers', { name: 'Tollway Voice', service_provider_sid }),
  ]
  const gateway = { port: 5060, netmask: 32, inbound: 0, outbound: 1 }
  await api.add('/SipGateways', { ...gateway, ipv4: '198.51.100.24', voip_carrier_sid: carrierSids[0] })
  await api.add('/SipGateways', { ...gateway, ipv4: '203.0.113.77', is_active: 0, voip_carrier_sid: carrierSids[0] })
  lcrSid = await api.add('/Lcrs', { name: 'US and Europe', service_provider_sid })
})

const patterns = (page: Page) =>
  page
    .getByRole('textbox', { name: /^Digit prefix or regex of route/ })
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

const moveButton = (page: Page, position: number) =>
  page.getByRole('button', { name: `Move route ${position}`, exact: true })

/** Drags a route by its handle onto another one. */
const drag = async (page: Page, from: number, to: number) => {
  const [start, end] = [await moveButton(page, from).boundingBox(), await moveButton(page, to).boundingBox()]
  if (!start || !end) throw new Error('no such route')
  await page.mouse.move(start.x + 10, start.y + 10)
  await page.mouse.down()
  await page.mouse.move(end.x + 10, end.y + (from < to ? end.height : 0), { steps: 8 })
  await page.mouse.up()
}

test('routes can be tested, reordered by drag and drop, and saved in the new order', async ({
  page,
  server,
  api,
  admin,
}) => {
  await setRoutes(api, ['^44', '^1(617|508)', '^1(212|646)', '161755'])
  await openAs(page, server, admin, `/internal/least-cost-routing/${lcrSid}/edit`)
  await expect(moveButton(page, 4)).toBeVisible()
  await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+1 617 555 0148')
  const numberTest = page.getByRole('region', { name: 'Test a number' })
  await expect(numberTest.getByRole('listitem').nth(1)).toContainText('match')
  await expect(numberTest).toContainText('4471#16175550148')
  await expect(numberTest.getByRole('list', { name: 'Outbound gateways' })).toContainText('203.0.113.77:5060')
  await expect(page.getByText('Never reached: route 2 already matches these numbers.')).toBeVisible()
  expect(await findAxeViolations(page)).toEqual([])

  await drag(page, 4, 1)
  expect(await patterns(page)).toEqual(['161755', '^44', '^1(617|508)', '^1(212|646)'])
  await expect(numberTest.getByRole('listitem').first()).toContainText('match')
  await drag(page, 2, 4)
  expect(await patterns(page)).toEqual(['161755', '^1(617|508)', '^1(212|646)', '^44'])
  // Dropping a route at its old position changes nothing.
  await drag(page, 1, 1)
  await clickSave(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  await page.reload()
  await expect(moveButton(page, 4)).toBeVisible()
  expect(await patterns(page)).toEqual(['161755', '^1(617|508)', '^1(212|646)', '^44'])
})

test('a thousand routes can be reordered by keyboard, and the moved route stays in view', async ({
  page,
  server,
  api,
  admin,
}) => {
  await setRoutes(
    api,
    Array.from({ length: 1000 }, (_, position) => `^${2000 + position}`),
  )
  await openAs(page, server, admin, `/internal/least-cost-routing/${lcrSid}/edit`)
  // The first hundred routes appear until the code for virtual scrolling has loaded.
  await expect(moveButton(page, 1)).toBeVisible()
  await expect(moveButton(page, 100)).toHaveCount(0)
  await moveButton(page, 1).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowDown')
  await expect(moveButton(page, 12)).toBeFocused()
  await page.keyboard.press('End')
  await expect(moveButton(page, 1000)).toBeFocused()
  await expect(moveButton(page, 1000)).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(page.getByText('Dropped at position 1000 of 1000.')).toBeAttached()
  expect((await patterns(page)).at(-1)).toBe('^2000')
  // Only the routes in view are rendered.
  expect((await patterns(page)).length).toBeLessThan(100)
  // Saving scrolls to the first invalid route.
  await page.getByRole('textbox', { name: 'Digit prefix or regex of route 1000' }).fill('(')
  await page.getByRole('list', { name: 'Routes', exact: true }).evaluate((list) => list.scrollTo(0, 0))
  await clickSave(page)
  await expect(page.getByRole('textbox', { name: 'Digit prefix or regex of route 1000' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Digit prefix or regex of route 1000' }).fill('^2000')
  await clickSave(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  const storedRoutes = await api.get<{ regex: string }[]>(`/LcrRoutes?lcr_sid=${lcrSid}`)
  expect(storedRoutes.map(({ regex }) => regex).slice(-3)).toEqual(['^2999', '^2000', '.*'])
})
