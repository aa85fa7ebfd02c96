/** The header of an error response with the ID of the request, under which the server's log describes it. */
export const requestIdHeader = 'x-request-id'
