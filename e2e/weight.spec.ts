import { expect, test } from './support/test'
import { measurePageWeights } from '../scripts/launch/page-weight'

const bytesPerKib = 1024

test.use({ serverName: 'weight' })

test('sign-in and the first list stay below their size limits', async ({ page, server, api, admin }) => {
  const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa' })
  for (let number = 10; number < 35; number += 1)
    await api.add('/Accounts', { name: `Account ${number}`, service_provider_sid })
  const [signInPage, listPage] = await measurePageWeights(page, server.url, admin)
  expect(signInPage.bytes / bytesPerKib).toBeLessThan(110)
  expect(listPage.bytes / bytesPerKib).toBeLessThan(150)
})
