import { catalogue } from './support/catalogue-entries'
import { defineAccountTests } from './catalogue/accounts'
import { defineCarrierTests } from './catalogue/carriers'
import { defineClientTests } from './catalogue/clients'
import { defineNumberTests } from './catalogue/numbers'
import { definePeopleTests } from './catalogue/people'
import { defineRoutingTests } from './catalogue/routing'
import { defineSessionTests } from './catalogue/session'
import { defineSpeechTests } from './catalogue/speech'
import { defineTenantTests } from './catalogue/tenants'
import { shownMessages } from './support/catalogue'
import { expect, test } from './support/test'

/**
 * The catalogue lists the messages that the specification fixes (support/catalogue-entries.ts). These tests make the
 * console show each of them. The last test checks that none is missing, so all tests run in one worker.
 */
test.use({ serverName: 'catalogue' })
test.describe.configure({ mode: 'serial' })

defineSessionTests()
definePeopleTests()
defineAccountTests()
defineCarrierTests()
defineRoutingTests()
defineSpeechTests()
defineNumberTests()
defineTenantTests()
defineClientTests()

test('the tests above have seen every message of the catalogue', () => {
  const missing = catalogue.filter(({ text }) => !shownMessages.has(text))
  expect(missing).toEqual([])
})
