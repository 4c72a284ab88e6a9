"""The contract as Python messages: everything that ``proto/ordago/v1`` defines, under one name.

The modules beside this one are generated; ``make proto`` makes them anew. The stubs of the services are not imported
here, so that the core of the engine stays free of grpc.
"""

from ordago.v1.account_service_pb2 import *
from ordago.v1.announcement_pb2 import *
from ordago.v1.bot_service_pb2 import *
from ordago.v1.cards_pb2 import *
from ordago.v1.clock_pb2 import *
from ordago.v1.decision_pb2 import *
from ordago.v1.event_service_pb2 import *
from ordago.v1.faults_pb2 import *
from ordago.v1.game_service_pb2 import *
from ordago.v1.games_pb2 import *
from ordago.v1.ladder_service_pb2 import *
from ordago.v1.match_pb2 import *
from ordago.v1.match_service_pb2 import *
from ordago.v1.mitaines_pb2 import *
from ordago.v1.mitigati_pb2 import *
from ordago.v1.mittlere_pb2 import *
from ordago.v1.mus_pb2 import *
from ordago.v1.record_pb2 import *
from ordago.v1.rules_service_pb2 import *
from ordago.v1.taihe_pb2 import *
