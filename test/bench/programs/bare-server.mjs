// Replies to every request on the Unix socket argv[2] at once: what a request costs on this machine now, whoever is asked.
import { createServer } from 'node:http';

createServer((_request, response) => response.end('{}')).listen(process.argv[2], () => console.log('listening'));
