import { expect, test } from './support/test'
import { measurePageWeights } from '../scripts/launch/page-weight'

const kibibytes = 1024

test.use({ world: 'weight' })

test('sign-in and the first list stay below their size limits', async ({ page, platform, api, admin }) => {
  const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa' })
  for (let at = 10; at < 35; at += 1) await api.add('/Accounts', { name: `Account ${at}`, service_provider_sid })
  const [signIn, list] = await measurePageWeights(page, platform.url, admin)
  expect(signIn.bytes / kibibytes).toBeLessThan(110)
  expect(list.bytes / kibibytes).toBeLessThan(150)
})
