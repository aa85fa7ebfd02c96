/** The response header with the identifier of a failed request, under which the server's log describes it. */
export const requestIdHeader = 'x-request-id'
