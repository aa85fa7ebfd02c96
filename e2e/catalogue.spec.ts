import { catalogue } from './support/catalogue-entries'
import { accountJourneys } from './catalogue/accounts'
import { carrierJourneys } from './catalogue/carriers'
import { clientJourneys } from './catalogue/clients'
import { numberJourneys } from './catalogue/numbers'
import { peopleJourneys } from './catalogue/people'
import { routingJourneys } from './catalogue/routing'
import { sessionJourneys } from './catalogue/session'
import { speechJourneys } from './catalogue/speech'
import { tenantJourneys } from './catalogue/tenants'
import { shownMessages } from './support/catalogue'
import { expect, test } from './support/test'

/**
 * The catalogue lists the messages that the specification fixes (support/catalogue-entries.ts). These tests make the
 * console show each of them. The last test checks that none is missing, so all tests run in one worker.
 */
test.use({ serverName: 'catalogue' })
test.describe.configure({ mode: 'serial' })

sessionJourneys()
peopleJourneys()
accountJourneys()
carrierJourneys()
routingJourneys()
speechJourneys()
numberJourneys()
tenantJourneys()
clientJourneys()

test('the tests above have seen every message of the catalogue', () => {
  const missing = catalogue.filter(({ text }) => !shownMessages.has(text))
  expect(missing).toEqual([])
})
