import { providerPath, sendRequest } from './http'

interface AlertPageOptions {
  base: string
  token: string
  account: string
  /** The number of alerts. */
  count: number
}

/** Requests for pages of alerts, by how they are read. */
export const createAlertPages = ({ base, token, account, count }: AlertPageOptions) => {
  const createRequest =
    (list: string, owner = providerPath) =>
    () =>
      sendRequest(base, { path: `${owner}/${list}`, token })
  const accountPath = `/v1/Accounts/${account}`
  const groupFilter = `message=${encodeURIComponent('https://customer7.example.com/call-status returned 503')}&alert_type=webhook-failure`
  return {
    listed: {
      'the first page of alerts': createRequest('Alerts?count=25&page=1&days=90'),
      'a page of alerts from the middle': createRequest(`Alerts?count=25&page=${Math.floor(count / 50)}&days=90`),
      'the last page of alerts': createRequest(`Alerts?count=25&page=${Math.floor(count / 25)}&days=90`),
      'alerts of one type': createRequest('Alerts?count=25&page=1&days=30&alert_type=no-carrier'),
      'alerts of one group': createRequest(`Alerts?count=5&page=1&days=30&${groupFilter}`),
      'alerts of one account': createRequest('Alerts?count=25&page=1&days=90', accountPath),
    },
    grouped: {
      'the newest groups of alerts of seven days': createRequest('AlertGroups?count=3&page=1&days=7&history=week'),
      'groups of alerts of thirty days': createRequest('AlertGroups?count=25&page=1&days=30&history=week'),
      'groups of alerts of one account': createRequest('AlertGroups?count=25&page=1&days=30&history=week', accountPath),
      'accounts of one group of alerts': createRequest(
        `AlertGroups?count=100&page=1&days=30&by=account&${groupFilter}`,
      ),
    },
    searched: {
      'a text that no alert of thirty days contains': createRequest('Alerts?count=25&page=1&days=30&filter=nothing'),
      'groups of alerts of thirty days that contain a text': createRequest(
        'AlertGroups?count=25&page=1&days=30&history=week&filter=customer7.',
      ),
    },
  }
}
